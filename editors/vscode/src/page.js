// Makes a page of the server safe for a webview. No part of VS Code is needed here, so that it can be tested.

const { randomBytes } = require("node:crypto");

const newNonce = () => randomBytes(18).toString("base64url");

/** What the page may do: run its own scripts, and nothing that leaves the page. */
function policy(nonce) {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "font-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/**
 * The page with a policy, and the nonce on each of its scripts. The scripts are found as browsers find them, from one tag to the next
 * `</script`, so what looks like a tag inside a script stays as it is. A policy of the page itself stays in force.
 */
function secured(html, nonce) {
  const open = /<script(?=[\s>/])/gi;
  const close = /<\/script/gi;
  let result = "";
  let at = 0;
  for (;;) {
    open.lastIndex = at;
    const tag = open.exec(html);
    if (!tag) break;
    result += `${html.slice(at, tag.index)}<script nonce="${nonce}"`;
    const inside = tag.index + tag[0].length;
    close.lastIndex = inside;
    const end = close.exec(html);
    at = end ? end.index + end[0].length : html.length;
    result += html.slice(inside, at);
  }
  result += html.slice(at);
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy(nonce)}">`;
  const head = /<head(?:\s[^>]*)?>/i.exec(result);
  if (head) {
    const place = head.index + head[0].length;
    return result.slice(0, place) + meta + result.slice(place);
  }
  return `<!DOCTYPE html><html><head>${meta}</head><body>${result}</body></html>`;
}

module.exports = { newNonce, policy, secured };
