import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLoopbackCertificate } from '@/tests/sandbox/loopback-certificate'
import { findProgram } from './find-program'
import { findFreePort } from './free-port'
import { waitForExit, waitUntil } from './wait-until'

/** Replaces each text in a configuration. Throws if a text is missing, so that changes of the configuration are noticed. */
function replaceAll(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`deploy/nginx.conf does not have: ${from}`)
    return result.replaceAll(from, to)
  }, text)
}

/**
 * Starts nginx with `deploy/nginx.conf`, in which addresses, ports and folders are replaced. `ports` are the ports of the dashboards. `url`
 * has no TLS, and the harness signs people in there; `secureUrl` has TLS with the certificate `ca`.
 */
export async function startNginx({ port, ports }: { port: number; ports: readonly number[] }) {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-nginx-'))
  chmodSync(folder, 0o755)
  const certificate = await createLoopbackCertificate(folder)
  writeFileSync(join(folder, 'desk.key'), certificate.key)
  writeFileSync(join(folder, 'desk.crt'), certificate.cert)
  const [redirecting, secure] = [await findFreePort(), await findFreePort()]
  const configText = replaceAll(readFileSync('deploy/nginx.conf', 'utf8'), [
    ['server desk:3000 fail_timeout=2s;', ports.map((one) => `server 127.0.0.1:${one} fail_timeout=2s;`).join(' ')],
    ['listen 8080 ', `listen 127.0.0.1:${redirecting} `],
    ['listen 8443 ssl http2 default_server;', `listen 127.0.0.1:${secure} ssl http2 default_server; listen 127.0.0.1:${port};`],
    ['Host $host;', `Host $host:${port};`],
    // In a test both are sockets, which nginx cannot open by these names.
    ['/dev/stdout', join(folder, 'access.log')],
    ['/dev/stderr', join(folder, 'error.log')],
    ['/tls/', `${folder}/`],
    ['/tmp/', `${folder}/`],
  ])
  writeFileSync(join(folder, 'nginx.conf'), configText)
  const child = spawn(findProgram('nginx'), ['-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let outputText = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      outputText += part.toString()
    })
  const url = `http://127.0.0.1:${port}`
  await waitUntil('nginx', async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${outputText}`)
    return fetch(`${url}/api/health/live`).then(
      () => true,
      () => null,
    )
  })
  return {
    url,
    secureUrl: `https://127.0.0.1:${secure}`,
    ca: certificate.cert,
    errors: () => outputText + readFileSync(join(folder, 'error.log'), 'utf8'),
    stop: async () => {
      child.kill('SIGQUIT')
      await waitForExit(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
