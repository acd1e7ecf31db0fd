// Makes a screenshot small: a PNG with a palette of at most 256 colours. Interfaces have few colours, so nothing is lost to the eye.

import * as zlib from "node:zlib";

const { crc32, deflateSync, inflateSync } = zlib;

/** The pixels of a PNG with 8 bits per channel that is not interlaced, as Chromium writes it. */
function pixels(png) {
  const parts = [];
  let width = 0;
  let height = 0;
  let channels = 4;
  for (let at = 8; at < png.length; ) {
    const size = png.readUInt32BE(at);
    const kind = png.toString("latin1", at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + size);
    if (kind === "IHDR") {
      width = body.readUInt32BE(0);
      height = body.readUInt32BE(4);
      channels = body[9] === 2 ? 3 : 4;
    } else if (kind === "IDAT") parts.push(body);
    at += 12 + size;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const line = width * channels;
  const out = Buffer.alloc(line * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (line + 1)];
    for (let x = 0; x < line; x += 1) {
      const left = x >= channels ? out[y * line + x - channels] : 0;
      const up = y > 0 ? out[(y - 1) * line + x] : 0;
      const corner = y > 0 && x >= channels ? out[(y - 1) * line + x - channels] : 0;
      const guess = left + up - corner;
      const near = [left, up, corner].reduce((best, each) => (Math.abs(guess - each) < Math.abs(guess - best) ? each : best));
      const add = [0, left, up, (left + up) >> 1, near][filter];
      out[y * line + x] = raw[y * (line + 1) + 1 + x] + add;
    }
  }
  return { width, height, channels, out };
}

function chunk(kind, body) {
  const whole = Buffer.concat([Buffer.from(kind, "latin1"), body]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(body.length, 0);
  ends.writeUInt32BE(crc(whole), 4);
  return Buffer.concat([ends.subarray(0, 4), whole, ends.subarray(4)]);
}

/** Older versions of Node have no crc32. */
function crc(bytes) {
  if (crc32) return crc32(bytes);
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return ~sum >>> 0;
}

export function shrink(png) {
  const { width, height, channels, out } = pixels(png);
  const counts = new Map();
  const rough = (at) => ((out[at] >> 3) << 10) | ((out[at + 1] >> 3) << 5) | (out[at + 2] >> 3);
  for (let at = 0; at < out.length; at += channels) {
    const key = rough(at);
    const known = counts.get(key) ?? { count: 0, sum: [0, 0, 0] };
    known.count += 1;
    for (let c = 0; c < 3; c += 1) known.sum[c] += out[at + c];
    counts.set(key, known);
  }
  const common = [...counts].sort((a, b) => b[1].count - a[1].count);
  const palette = common.slice(0, 256).map(([, { count, sum }]) => sum.map((total) => Math.round(total / count)));
  const index = new Map();
  for (const [key, { count, sum }] of common) {
    const colour = sum.map((total) => total / count);
    let best = 0;
    let distance = Infinity;
    palette.forEach((each, i) => {
      const d = (each[0] - colour[0]) ** 2 + (each[1] - colour[1]) ** 2 + (each[2] - colour[2]) ** 2;
      if (d < distance) [best, distance] = [i, d];
    });
    index.set(key, best);
  }
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) lines[y * (width + 1) + 1 + x] = index.get(rough((y * width + x) * channels));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const body = deflateSync(lines, { level: 9, memLevel: 9 });
  return Buffer.concat([png.subarray(0, 8), chunk("IHDR", header), chunk("PLTE", Buffer.from(palette.flat())), chunk("IDAT", body), chunk("IEND", Buffer.alloc(0))]);
}
