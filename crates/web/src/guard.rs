//! Who may ask: the owner's own page, and nobody else.
//!
//! Every page that the owner's browser shows can send requests to this machine. Three things keep them out. `Host` must be an
//! address of this server, so a name that was bound anew to this machine (DNS rebinding) gets nothing, not even the page.
//! `Origin` and `Sec-Fetch-Site`, where a browser sends them, must say that the page is ours. And every request to the API needs
//! the token, which only who has seen the terminal knows; it is a header, which forms cannot send and which other pages may not
//! send without asking first; and whoever asks first (`OPTIONS`) is refused.

use crate::http::{Head, Trouble, refuse};
use std::fmt::Write;
use std::net::SocketAddr;

/// The header that has the token.
const TOKEN: &str = "x-swarmcheck-token";

/// The one media type of a body. Forms cannot send it.
const JSON: &str = "application/json";

/// So many random bytes from the operating system, in hexadecimal.
pub(crate) fn random(bytes: usize) -> Result<String, String> {
    let mut raw = vec![0; bytes];
    getrandom::fill(&mut raw).map_err(|e| format!("the operating system gives no random numbers: {e}"))?;
    let mut text = String::new();
    for byte in raw {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

/// Compares without telling by the time it takes where the difference is.
fn same(given: &str, token: &str) -> bool {
    let differences = given.bytes().zip(token.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    std::hint::black_box(differences) == 0 && given.len() == token.len()
}

/// What a request is compared with.
pub(crate) struct Guard {
    pub token: String,
}

impl Guard {
    /// Whether the client knows where it is: by the address of this end of the connection, or as this machine (a container
    /// has another address inside than outside). Only names can be bound anew, and `localhost` is none that a site owns.
    pub fn host<'h>(&self, head: &'h Head, here: SocketAddr) -> Result<&'h str, Trouble> {
        let port = here.port();
        // Who listens at all addresses of both kinds sees those of the older kind in another spelling.
        let here = SocketAddr::new(here.ip().to_canonical(), port);
        let Some(host) = head.header("host")? else { return refuse(400, "the request has no Host") };
        let mut allowed = vec![here.to_string(), format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        if port == 80 {
            let bare: Vec<String> =
                allowed.iter().filter_map(|name| Some(name.strip_suffix(":80")?.to_string())).collect();
            allowed.extend(bare);
        }
        match allowed.iter().any(|name| host.eq_ignore_ascii_case(name)) {
            true => Ok(host),
            false => {
                refuse(421, "the request is for another host: use the address that swarmcheck has printed")
            }
        }
    }

    /// Whether the request comes from our own page, or from a program that is no browser, and has the token.
    pub fn admit(&self, head: &Head, host: &str) -> Result<(), Trouble> {
        if head.method != "POST" {
            return refuse(405, "requests to the API are POST");
        }
        if let Some(origin) = head.header("origin")?
            && !origin.eq_ignore_ascii_case(&format!("http://{host}"))
        {
            return refuse(403, "another site may not ask");
        }
        if head.header("sec-fetch-site")?.is_some_and(|site| site != "same-origin") {
            return refuse(403, "another site may not ask");
        }
        if !head.header(TOKEN)?.is_some_and(|given| same(given, &self.token)) {
            return refuse(403, "the token is missing or wrong: use the address that swarmcheck has printed");
        }
        let kind = head.header("content-type")?.unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        match kind.eq_ignore_ascii_case(JSON) {
            true => Ok(()),
            false => refuse(415, "the body of a request is application/json"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_is_the_token() {
        assert!(same("abc", "abc"));
        for wrong in ["", "ab", "abcd", "abd", "xbc", "ABC"] {
            assert!(!same(wrong, "abc"), "{wrong}");
        }
    }

    /// 24 bytes are 192 bits; that two are equal is impossible in practice.
    #[test]
    fn tokens_are_long_and_differ() {
        let (one, other) = (random(24).unwrap(), random(24).unwrap());
        assert_eq!(one.len(), 48);
        assert_ne!(one, other);
    }
}
