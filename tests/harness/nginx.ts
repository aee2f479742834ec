import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLoopbackCertificate } from '@/tests/sandbox/loopback-certificate'
import { findProgram } from './find-program'
import { findFreePort } from './free-port'
import { waitForExit, waitUntil } from './wait-until'

/**
 * Replaces each text of a pair in the nginx configuration with the other. Throws if the
 * configuration lacks a text, so that a change of `deploy/nginx.conf` is noticed.
 */
function replaceConfigTexts(
  text: string,
  replacements: readonly (readonly [string, string])[],
): string {
  return replacements.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`deploy/nginx.conf does not have: ${from}`)
    return result.replaceAll(from, to)
  }, text)
}

/**
 * Starts nginx with `deploy/nginx.conf`. Only addresses, ports and folders are replaced. `port` is
 * the port without TLS, through which tests sign people in. `ports` are the ports of the
 * dashboards. `secureUrl` uses TLS with the certificate `ca`.
 */
export async function startNginx({ port, ports }: { port: number; ports: readonly number[] }) {
  const tempFolder = mkdtempSync(join(tmpdir(), 'paydesk-nginx-'))
  chmodSync(tempFolder, 0o755)
  const certificate = await createLoopbackCertificate(tempFolder)
  writeFileSync(join(tempFolder, 'desk.key'), certificate.key)
  writeFileSync(join(tempFolder, 'desk.crt'), certificate.cert)
  const [redirecting, secure] = [await findFreePort(), await findFreePort()]
  const configText = replaceConfigTexts(readFileSync('deploy/nginx.conf', 'utf8'), [
    [
      'server desk:3000 fail_timeout=2s;',
      ports.map((one) => `server 127.0.0.1:${one} fail_timeout=2s;`).join(' '),
    ],
    ['listen 8080 ', `listen 127.0.0.1:${redirecting} `],
    [
      'listen 8443 ssl http2 default_server;',
      `listen 127.0.0.1:${secure} ssl http2 default_server; listen 127.0.0.1:${port};`,
    ],
    ['Host $host;', `Host $host:${port};`],
    // In a test, the standard output and error of nginx are sockets. nginx cannot open sockets by
    // these names, so it writes to files.
    ['/dev/stdout', join(tempFolder, 'access.log')],
    ['/dev/stderr', join(tempFolder, 'error.log')],
    ['/tls/', `${tempFolder}/`],
    ['/tmp/', `${tempFolder}/`],
  ])
  writeFileSync(join(tempFolder, 'nginx.conf'), configText)
  const nginxProcess = spawn(
    findProgram('nginx'),
    ['-c', join(tempFolder, 'nginx.conf'), '-g', 'daemon off;'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let outputText = ''
  for (const stream of [nginxProcess.stdout, nginxProcess.stderr])
    stream.on('data', (part: Buffer) => {
      outputText += part.toString()
    })
  const url = `http://127.0.0.1:${port}`
  await waitUntil('nginx', async () => {
    if (nginxProcess.exitCode !== null) throw new Error(`nginx ended: ${outputText}`)
    return fetch(`${url}/api/health/live`).then(
      () => true,
      () => null,
    )
  })
  return {
    url,
    secureUrl: `https://127.0.0.1:${secure}`,
    ca: certificate.cert,
    errors: () => outputText + readFileSync(join(tempFolder, 'error.log'), 'utf8'),
    stop: async () => {
      nginxProcess.kill('SIGQUIT')
      await waitForExit(nginxProcess)
      rmSync(tempFolder, { recursive: true, force: true })
    },
  }
}
