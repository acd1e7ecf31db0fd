//! The page: three files that the program carries along. Nothing that a client says becomes the name of a file.

use crate::guard;
use crate::http::{Head, Response, Trouble, refuse};

const PAGE: &str = include_str!("../assets/index.html");
const SCRIPT: &str = include_str!("../assets/workbench.js");
const STYLE: &str = include_str!("../assets/workbench.css");

/// Stands in the page where the nonce of its styles belongs.
const NONCE: &str = "__NONCE__";

/// Where the assets come from.
#[derive(Clone, Debug, Default)]
pub struct Assets {
    /// A folder that is read anew for each request, for work on the page itself.
    #[cfg(debug_assertions)]
    pub folder: Option<std::path::PathBuf>,
}

impl Assets {
    #[cfg(debug_assertions)]
    fn text(&self, name: &str, built_in: &'static str) -> String {
        let folder = self.folder.as_ref();
        let read = folder.and_then(|folder| std::fs::read_to_string(folder.join(name)).ok());
        read.unwrap_or_else(|| built_in.to_string())
    }

    #[cfg(not(debug_assertions))]
    fn text(&self, _: &str, built_in: &'static str) -> String {
        built_in.to_string()
    }

    /// The page or one of its files.
    pub(crate) fn get(&self, head: &Head) -> Result<Response, Trouble> {
        // What follows a question mark is nobody's business here.
        let path = head.path.split('?').next().unwrap_or_default();
        let answer = |kind, headers, text: String| {
            Ok(Response { status: 200, kind, headers, body: text.into_bytes() })
        };
        let found = match path {
            "/" => {
                let nonce = guard::random(16).map_err(|why| Trouble::Refused(503, why))?;
                let page = self.text("index.html", PAGE).replace(NONCE, &nonce);
                answer("text/html; charset=utf-8", policy(&nonce), page)
            }
            "/assets/workbench.js" => {
                let text = self.text("workbench.js", SCRIPT);
                answer("text/javascript; charset=utf-8", String::new(), text)
            }
            "/assets/workbench.css" => {
                answer("text/css; charset=utf-8", String::new(), self.text("workbench.css", STYLE))
            }
            // Browsers ask for it by themselves, and report an error if there is none.
            "/favicon.ico" => {
                Ok(Response { status: 204, kind: "image/x-icon", headers: String::new(), body: vec![] })
            }
            _ => refuse(404, "there is nothing here"),
        };
        match head.method.as_str() {
            "GET" => found,
            _ => refuse(405, "pages are read with GET"),
        }
    }
}

/// What the page may do: run its own scripts, talk to this server, and nothing else. Styles with the nonce are those that the
/// editor makes.
fn policy(nonce: &str) -> String {
    format!(
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' \
         data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    )
}
