//! The location of jieba's dictionary on this machine.
//!
//! The dictionary is a file of the crate jieba-rs, but not part of its interface. Cargo knows where the sources of that crate are:
//! in its registry, in a folder of vendored sources, or elsewhere.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The crate that contains the dictionary.
const CRATE: &str = "jieba-rs";

/// The path of the dictionary. `manifest` is the folder of this crate, `out` is a folder for intermediate files.
///
/// `cargo metadata` runs on a package with a single dependency, because it needs the sources of all dependencies that it lists. The
/// sources of the dependencies of this crate's tests may be missing.
pub fn dictionary(manifest: &Path, out: &Path) -> PathBuf {
    let requirement = requirement(manifest);
    let probe = out.join("probe");
    let lock = manifest.join("../../Cargo.lock");
    let write = |name: &str, text: &str| {
        let path = probe.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder for intermediate files");
        fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    };
    write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"probe\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
             [lib]\npath = \"lib.rs\"\n[dependencies]\n{requirement}\n[workspace]\n"
        ),
    );
    write("lib.rs", "");
    // The lock file of the build gives the versions that are being built. Cargo does not need to look them up again.
    if lock.is_file() {
        println!("cargo:rerun-if-changed={}", lock.display());
        write("Cargo.lock", &fs::read_to_string(&lock).expect("a readable Cargo.lock"));
    }
    let metadata = metadata(manifest, &probe);
    let package = metadata["packages"]
        .as_array()
        .and_then(|packages| packages.iter().find(|package| package["name"] == CRATE))
        .unwrap_or_else(|| panic!("cargo metadata does not name {CRATE}"));
    let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
    manifest.with_file_name("src").join("data").join("dict.txt")
}

/// The line in this crate's manifest that requires `CRATE`. Only that line names the version.
fn requirement(manifest: &Path) -> String {
    let path = manifest.join("Cargo.toml");
    println!("cargo:rerun-if-changed={}", path.display());
    let text = fs::read_to_string(&path).expect("a readable Cargo.toml");
    let is_requirement = |line: &&str| line.split_once('=').is_some_and(|(name, _)| name.trim() == CRATE);
    text.lines().find(is_requirement).unwrap_or_else(|| panic!("no {CRATE} in {}", path.display())).to_owned()
}

/// The metadata of the package in `probe`. Cargo runs in the folder of this crate, where it finds the configuration that names
/// vendored sources.
fn metadata(manifest: &Path, probe: &Path) -> Value {
    let output = Command::new(env::var_os("CARGO").expect("cargo sets CARGO"))
        .args(["metadata", "--offline", "--format-version", "1", "--filter-platform"])
        .arg(env::var_os("TARGET").expect("cargo sets TARGET"))
        .arg("--manifest-path")
        .arg(probe.join("Cargo.toml"))
        .current_dir(manifest)
        .env("CARGO_TARGET_DIR", probe.join("target"))
        .output()
        .expect("cargo can be started");
    if !output.status.success() {
        panic!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    }
    serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON")
}
