import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { startLine } from './line.mjs'
import { ownRoot } from './servers.mjs'

const folder = join(ownRoot, 'bench/rivals/react-admin')

/** Its packages are its own, so that the product's stay what they are. */
function installOnce() {
  if (existsSync(join(folder, 'node_modules/react-admin'))) return
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function bundle() {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ['app.jsx'],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return gzipSync(outputFiles[0].contents)
}

/**
 * The payments list as react-admin draws it, in front of the service at `service`: its page and script, and a server that adds the key to what it asks and does
 * nothing else.
 */
export async function startRival(service, key) {
  installOnce()
  const files = { '/': ['text/html', gzipSync(readFileSync(join(folder, 'index.html')))], '/app.js': ['text/javascript', await bundle()] }
  const answers = ({ url }, answer) => {
    const [type, body] = files[url] ?? []
    if (!body) return false
    answer.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-encoding': 'gzip', 'content-length': body.length })
    answer.end(body)
    return true
  }
  const server = await startLine(service, { add: { authorization: `Bearer ${key}` }, answers })
  return { ...server, script: files['/app.js'][1].length / 1000 }
}
