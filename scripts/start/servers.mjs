import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const preload = new URL('../end-with-parent.mjs', import.meta.url).href
const maxErrorLines = 8

/**
 * Starts a Node program in its own process group, so that Ctrl-C reaches it once, through us. `onLine(line, stream)` receives its output by
 * line. `ended` resolves to `{ code, signal }`; `lastErrors` are its last stderr lines.
 */
export function startChild({ name, args, env, cwd, onLine }) {
  const stdio = ['ignore', 'pipe', 'pipe']
  const child = spawn(process.execPath, ['--import', preload, ...args], { cwd, env, stdio, detached: process.platform !== 'win32' })
  const lastErrors = []
  createInterface({ input: child.stdout }).on('line', (line) => onLine(line, process.stdout))
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastErrors.push(line)
    if (lastErrors.length > maxErrorLines) lastErrors.shift()
    onLine(line, process.stderr)
  })
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: error.message, signal: null }))
    // 'close', not 'exit': all output has been read then.
    child.on('close', (code, signal) => resolve({ code, signal }))
  })
  return { name, child, ended, lastErrors }
}

function signalGroup({ child }, signal) {
  if (child.pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/**
 * Sends SIGTERM, and SIGKILL after `graceMs`: the dashboard drains for up to 20 s and finishes responses for up to 40 s. Resolves when the
 * child has ended.
 */
export async function stopChild(server, graceMs = 75_000) {
  signalGroup(server, 'SIGTERM')
  const timer = setTimeout(() => signalGroup(server, 'SIGKILL'), graceMs)
  await server.ended
  clearTimeout(timer)
}

/** Returns a line about how a server ended, then its last lines on stderr. */
export function obituary({ name, lastErrors }, { code, signal }) {
  const how = signal ? `was killed by ${signal}` : `ended with ${code}`
  return [`the ${name} ${how}; everything is stopped`, ...lastErrors.map((line) => `  ${line}`)].join('\n')
}
