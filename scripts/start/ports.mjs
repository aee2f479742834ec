import { get } from 'node:http'
import { connect, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { PlainError } from './run-quietly.mjs'

/** True if a server responds. On some systems a listener on all addresses does not prevent a second one on a single address. */
const answers = (host, port) =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1000 })
    const end = (answer) => {
      socket.destroy()
      resolve(answer)
    }
    socket
      .on('connect', () => end(true))
      .on('error', () => end(false))
      .on('timeout', () => end(false))
  })

const listenError = (host, port) =>
  new Promise((resolve) => {
    const server = createServer()
    server.on('error', resolve).listen(port, host, () => server.close(() => resolve(undefined)))
  })

/** Throws a PlainError with the variable to change if the port is taken. */
export async function checkFree(host, port, variable) {
  if (await answers(host, port)) throw new PlainError(`port ${port} is taken: stop what listens there or choose another with ${variable}=…`)
  const error = await listenError(host, port)
  if (error?.code === 'EADDRINUSE')
    throw new PlainError(`port ${port} is taken: stop what listens there or choose another with ${variable}=…`)
  if (error) throw new PlainError(`port ${port} cannot be used (${error.code}): choose another with ${variable}=…`)
}

const status = (url) =>
  new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: 5000 }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    request.on('error', () => resolve(undefined)).on('timeout', () => request.destroy())
  })

/** Waits until the URL returns 200. Throws a PlainError after `timeoutMs`; returns if the signal is aborted. */
export async function untilHealthy(url, { signal, timeoutMs = 120_000 }) {
  const end = Date.now() + timeoutMs
  let last
  while (!signal.aborted) {
    last = await status(url)
    if (last === 200) return
    if (Date.now() > end)
      throw new PlainError(`the dashboard is not ready after ${timeoutMs / 1000} s (${url} answered ${last ?? 'nothing'})`)
    await wait(50)
  }
}
