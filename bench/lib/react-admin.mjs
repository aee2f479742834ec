import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { startDelayProxy } from './delay-proxy.mjs'
import { repositoryRoot } from './servers.mjs'

const folder = join(repositoryRoot, 'bench/rivals/react-admin')

/** react-admin is no dependency of our own package. */
function installReactAdmin() {
  if (existsSync(join(folder, 'node_modules/react-admin'))) return
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function bundleReactAdmin() {
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

/** Serves the page, its script, and a proxy to the service that adds the API key. */
export async function startReactAdmin(serviceUrl, apiKey) {
  installReactAdmin()
  const filesByUrl = {
    '/': ['text/html', gzipSync(readFileSync(join(folder, 'index.html')))],
    '/app.js': ['text/javascript', await bundleReactAdmin()],
  }
  const answerFileRequest = ({ url }, response) => {
    const [type, body] = filesByUrl[url] ?? []
    if (!body) return false
    response.writeHead(200, {
      'content-type': `${type}; charset=utf-8`,
      'content-encoding': 'gzip',
      'content-length': body.length,
    })
    response.end(body)
    return true
  }
  const server = await startDelayProxy(serviceUrl, {
    add: { authorization: `Bearer ${apiKey}` },
    answers: answerFileRequest,
  })
  return { ...server, script: filesByUrl['/app.js'][1].length / 1000 }
}
