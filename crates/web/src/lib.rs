//! The server of the workbench: a page, and an interface for it, on a socket of this machine. `docs/web.md` describes both.
//!
//! A connection has one request and one response. Each is a thread, and there are at most 64. Every job is a
//! worker process with limits on time, memory and output, as on the command line; nothing of the façade runs in this process.
//!
//! Architecture invariant: nothing that a client says is opened as a file, started as a program or kept after its job. Files
//! come as text in requests and leave as text in responses.

mod assets;
mod guard;
mod hello;
mod http;
mod job;
mod registry;
mod said;

pub use assets::Assets;
pub use hello::{Example, OpenFile};

use guard::Guard;
use http::{Head, Response, Trouble, refuse};
use job::{Allowed, Asked};
use registry::Registry;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use swarmcheck_session::interpreter::InterpreterRequest;

/// So many connections are served at once. A browser opens a handful.
const CONNECTIONS: usize = 64;

/// The largest body, in bytes.
const MOST_BODY: usize = 8 << 20;

/// What a job may tell, in bytes.
const MOST_OUTPUT: usize = 10 << 20;

/// What a job may use if its client does not say: seconds and bytes.
const SECONDS: f64 = 60.0;
const MEMORY: u64 = 1 << 30;

/// How often it is looked at whether the server is to end, and how long its jobs may take for that.
const TICK: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(2);

/// What the server knows from the start.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The version of the program.
    pub version: String,
    /// Files that the page opens.
    pub files: Vec<OpenFile>,
    /// Examples that the page offers.
    pub examples: Vec<Example>,
    /// The most seconds that a job may ask for.
    pub seconds: f64,
    /// The most bytes that a job may ask for.
    pub memory: u64,
    /// The formats of traces, which the library does not list.
    pub traces: Vec<String>,
    /// Where the page comes from.
    pub assets: Assets,
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    config: Config,
    guard: Guard,
    registry: Registry,
    connections: AtomicUsize,
    threads: usize,
    ending: AtomicBool,
}

impl Server {
    /// Listens at an address; port 0 is any that is free.
    pub fn bind(address: SocketAddr, config: Config) -> std::io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let token = guard::random(24).map_err(std::io::Error::other)?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let shared = Shared {
            config,
            guard: Guard { token },
            registry: Registry::new(threads.max(2)),
            connections: AtomicUsize::new(0),
            threads,
            ending: AtomicBool::new(false),
        };
        Ok(Server { listener, address, shared: Arc::new(shared) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What a client must know.
    pub fn token(&self) -> &str {
        &self.shared.guard.token
    }

    /// The address of the page, with the token where no server and no log sees it.
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            let here =
                if address.is_ipv4() { [127, 0, 0, 1].into() } else { std::net::Ipv6Addr::LOCALHOST.into() };
            address.set_ip(here);
        }
        format!("http://{address}/#token={}", self.token())
    }

    /// Serves until somebody has had enough. Then no worker is left.
    pub fn serve(self, interrupted: &dyn Fn() -> bool) -> std::io::Result<()> {
        let Server { listener, address, shared } = self;
        let acceptor = shared.clone();
        std::thread::Builder::new().name("accept".to_string()).spawn(move || accept(&listener, &acceptor))?;
        while !interrupted() {
            std::thread::sleep(TICK);
        }
        shared.ending.store(true, Ordering::Relaxed);
        shared.registry.end();
        // Wakes the thread that accepts, which sees that it is over.
        let _ = TcpStream::connect_timeout(&address, TICK);
        let since = Instant::now();
        while !shared.registry.is_idle() && since.elapsed() < PATIENCE {
            std::thread::sleep(TICK);
        }
        Ok(())
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    loop {
        let accepted = listener.accept();
        if shared.ending.load(Ordering::Relaxed) {
            return;
        }
        // Too many open files, for instance: others may be closed in a moment.
        let Ok((stream, _)) = accepted else {
            std::thread::sleep(TICK);
            continue;
        };
        let open = Open::new(shared);
        if open.number >= CONNECTIONS {
            // The first bytes of a connection fit its buffer, so nobody waits here.
            let _ = stream.set_nonblocking(true);
            Response::error(503, "there are too many connections").send(&stream);
            continue;
        }
        let spawned = std::thread::Builder::new().name("connection".to_string()).spawn(move || {
            open.shared.connection(&stream);
            http::close(&stream);
        });
        drop(spawned);
    }
}

/// A connection that is counted until it is dropped.
struct Open {
    shared: Arc<Shared>,
    /// How many there were before it.
    number: usize,
}

impl Open {
    fn new(shared: &Arc<Shared>) -> Open {
        Open { shared: shared.clone(), number: shared.connections.fetch_add(1, Ordering::Relaxed) }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.shared.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

#[derive(Deserialize)]
struct Cancel {
    job: String,
}

#[derive(Deserialize)]
struct Say {
    job: String,
    message: InterpreterRequest,
}

impl Shared {
    fn connection(&self, stream: &TcpStream) {
        // Events are short and wanted at once.
        let _ = stream.set_nodelay(true);
        match self.answer(stream) {
            Ok(Some(response)) => response.send(stream),
            Ok(None) | Err(Trouble::Gone) => {}
            Err(Trouble::Refused(status, why)) => Response::error(status, &why).send(stream),
        }
    }

    /// The response, unless it was sent already.
    fn answer(&self, stream: &TcpStream) -> Result<Option<Response>, Trouble> {
        let head = Head::read(stream)?;
        let here = stream.local_addr().or(Err(Trouble::Gone))?;
        let host = self.guard.host(&head, here)?;
        let Some(name) = head.path.strip_prefix("/api/").map(str::to_string) else {
            return self.config.assets.get(&head).map(Some);
        };
        self.guard.admit(&head, host)?;
        let length = head.length(MOST_BODY)?;
        let body = head.body(stream, length)?;
        let answer = match name.as_str() {
            "hello" => self.hello(),
            "cancel" => {
                let Cancel { job } = read(&body)?;
                json!({ "cancelled": self.registry.cancel(&job) })
            }
            "say" => {
                let Say { job, message } = read(&body)?;
                match self.registry.say(&job, message) {
                    true => json!({}),
                    false => return refuse(404, "there is no such interpreter: it may have ended"),
                }
            }
            "job" => {
                let Asked { request, limits } = read(&body)?;
                drop(body);
                let (most_seconds, most_memory) = (self.config.seconds, self.config.memory);
                let allowed = Allowed {
                    seconds: limits.seconds.unwrap_or(SECONDS).max(0.0).min(most_seconds),
                    memory: limits.memory.unwrap_or(MEMORY).min(most_memory),
                    output: MOST_OUTPUT,
                    threads: self.threads,
                };
                job::run(stream, request, allowed, &self.registry)?;
                return Ok(None);
            }
            _ => return refuse(404, "the API has no such request"),
        };
        Ok(Some(Response::json(200, &answer)))
    }

    fn hello(&self) -> Json {
        let Config { version, files, examples, seconds, memory, traces, .. } = &self.config;
        json!({
            "version": version,
            "limits": {
                "seconds": SECONDS.min(*seconds),
                "memory": MEMORY.min(*memory),
                "output": MOST_OUTPUT,
                "jobs": self.registry.most,
                "most": { "seconds": seconds, "memory": memory, "body": MOST_BODY },
            },
            "files": files,
            "examples": examples,
            "options": hello::options(traces),
        })
    }
}

/// A body as what it should be.
fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Trouble> {
    serde_json::from_slice(body)
        .map_err(|e| Trouble::Refused(400, format!("the request cannot be read: {e}")))
}
