import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startChild } from './servers.mjs'

const passed = ['PATH', 'HOME', 'TZ', 'LANG', 'SYSTEMROOT', 'TEMP', 'TMP', 'TMPDIR']

/**
 * By default V8 lets garbage grow to several times the memory in use. Earlier collection makes a page of a hundred payments a sixth slower
 * and keeps the process under 150 MB.
 */
const thrift = ['--max-semi-space-size=2', '--heap-growing-percent=50']

/** Starts the embedded sandbox with a minimal environment: it represents another company's machine and must not see our secrets. */
export function startSandbox({ settings, webhookSecretFile, root, onLine, onReady }) {
  const flags = [
    '--port',
    String(settings.sandboxPort),
    '--data',
    join(settings.dataDir, 'sandbox'),
    '--seed',
    '1',
    '--payments',
    String(settings.payments),
    '--dialect',
    settings.dialect,
    '--webhook',
    `http://${settings.host}:${settings.port}/api/webhooks/sandbox`,
    '--webhook-secret-file',
    webhookSecretFile,
  ]
  // Its bank-connection page sends messages to the desk only. The dashboard rejects an invalid origin with its own message.
  if (URL.canParse(settings.origin)) flags.push('--bridge-origin', new URL(settings.origin).origin)
  const env = Object.fromEntries(passed.filter((name) => process.env[name]).map((name) => [name, process.env[name]]))
  return startChild({
    name: 'sandbox',
    args: [
      ...thrift,
      '--enable-source-maps',
      join(root, 'sandbox/build/sandbox.mjs'),
      ...flags,
      ...(settings.control ? ['--control'] : []),
    ],
    env: { ...env, NODE_ENV: 'production' },
    cwd: root,
    onLine: (line, stream) => (line.startsWith('sandbox ready ') ? onReady() : onLine(line, stream)),
  })
}

function readKey(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).full
  } catch {
    // The sandbox is writing the file.
    return undefined
  }
}

/** Resolves to the key with all permissions once the sandbox has written it, which is before it has seeded. Undefined if aborted first. */
export async function sandboxKey(dataDir, signal) {
  const path = join(dataDir, 'sandbox/api-keys.json')
  while (!signal.aborted) {
    const key = existsSync(path) && readKey(path)
    if (key) return key
    await wait(20)
  }
  return undefined
}
