import { once } from 'node:events'
import { get } from 'node:http'
import { connect, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { UserFacingError } from './run-quietly.mjs'

/**
 * True if a server accepts connections on this port. An attempt to listen there is not enough: on
 * some systems it succeeds although another server listens on all addresses.
 */
async function acceptsConnections(host, port) {
  const socket = connect({ host, port })
  const connectPromise = once(socket, 'connect', { signal: AbortSignal.timeout(1000) })
  return connectPromise
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}

async function findListenError(host, port) {
  const probeServer = createServer().listen(port, host)
  const errorCode = await once(probeServer, 'listening').then(
    () => undefined,
    ({ code }) => code,
  )
  probeServer.close()
  return errorCode
}

/**
 * Throws a UserFacingError that names the setting for the port. A server that listens on `::1` only
 * takes the port as well: browsers try that address first for `localhost`.
 */
export async function checkPortFree(host, port, settingName) {
  const isTaken = (await acceptsConnections(host, port)) || (await acceptsConnections('::1', port))
  const listenErrorCode = isTaken ? 'EADDRINUSE' : await findListenError(host, port)
  if (!listenErrorCode) return
  const portProblem =
    listenErrorCode === 'EADDRINUSE'
      ? 'is taken: stop what listens there or'
      : `cannot be used (${listenErrorCode}):`
  throw new UserFacingError(`port ${port} ${portProblem} choose another with ${settingName}=…`)
}

const fetchStatus = (url) =>
  new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: 5000 }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    request.on('error', () => resolve(undefined)).on('timeout', () => request.destroy())
  })

/** Throws a UserFacingError after two minutes. Returns early if the signal is aborted. */
export async function waitUntilHealthy(url, signal) {
  const deadline = Date.now() + 120_000
  while (!signal.aborted) {
    const lastStatus = await fetchStatus(url)
    if (lastStatus === 200) return
    if (Date.now() > deadline)
      throw new UserFacingError(
        `the dashboard is not ready after 120 s (${url} answered ${lastStatus ?? 'nothing'})`,
      )
    await wait(50)
  }
}
