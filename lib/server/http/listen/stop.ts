import 'server-only'
import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { env } from '@/lib/server/config/env'
import { beginStop, isStopping } from '@/lib/server/process-state'
import { endStore } from '@/lib/server/store/store'
import { endTraces } from '@/lib/server/traces'

/**
 * Longer than a write may take, and short enough that the process ends before `npm start` or a
 * container runtime kills it.
 */
const pendingResponsesTimeoutMs = 40_000

/**
 * After this time, a shutdown closes connections that have sent no request. A proxy sends its
 * request at once, so its connections are not affected.
 */
const firstRequestTimeoutMs = 1000

/**
 * `underWay` has the response in progress on each connection. While `turnsReadsAway` is true, a GET
 * request gets no response, and its connection is closed.
 */
type Connections = {
  all: Set<Duplex>
  underWay: Map<Duplex, ServerResponse>
  turnsReadsAway: boolean
}

function trackConnections(server: Server): Connections {
  const connections: Connections = { all: new Set(), underWay: new Map(), turnsReadsAway: false }
  const { all, underWay } = connections
  server.on('connection', (socket) => {
    all.add(socket)
    socket.once('close', () => all.delete(socket))
  })
  server.on('request', ({ socket, method }, response) => {
    if (connections.turnsReadsAway && method === 'GET') return void socket.destroy()
    underWay.set(socket, response)
    response.once('close', () => underWay.delete(socket))
    if (isStopping()) closeAfterResponse(response)
  })
  return connections
}

function closeAfterResponse(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}

/** Only event streams do not end by themselves. The end of the response closes idle connections. */
function endEventStream(server: Server, response: ServerResponse): void {
  response.once('close', () => server.closeIdleConnections())
  if (String(response.getHeader('content-type')) === 'text/event-stream') response.end()
}

/**
 * Milliseconds: a turn of the event loop counts as short up to the first value. The second value
 * limits the wait for a short turn.
 */
const maxQuietTurnMs = 1
const quietTurnTimeoutMs = 2000

/**
 * Resolves after a short turn of the event loop without a new connection. Closing the server resets
 * connections that are not accepted yet, and during a long turn some may have arrived.
 */
function waitForQuietEventLoop(server: Server): Promise<void> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    let hasNewConnection = false
    const noteConnection = () => {
      hasNewConnection = true
    }
    server.on('connection', noteConnection)
    const checkEventLoopTurn = (lastCheckAt: number) => {
      const now = performance.now()
      const isQuiet = !hasNewConnection && now - lastCheckAt < maxQuietTurnMs
      hasNewConnection = false
      if (!isQuiet && now - startedAt < quietTurnTimeoutMs)
        return void setImmediate(checkEventLoopTurn, now)
      server.off('connection', noteConnection)
      resolve()
    }
    setImmediate(checkEventLoopTurn, 0)
  })
}

/** Resolves when the last response is sent. */
function closeServer(server: Server, { all, underWay }: Connections): Promise<void> {
  const serverClosed = new Promise<void>((resolve) => server.close(() => resolve()))
  const deadlineTimer = setTimeout(() => server.closeAllConnections(), pendingResponsesTimeoutMs)
  // By itself, Node waits for connections that have not sent a request yet.
  const closeIdleSockets = () => {
    for (const socket of all) if (!underWay.has(socket)) socket.destroy()
  }
  const idleTimer = setTimeout(closeIdleSockets, env().drainSeconds > 0 ? firstRequestTimeoutMs : 0)
  for (const response of underWay.values()) endEventStream(server, response)
  return serverClosed.finally(() => {
    clearTimeout(deadlineTimer)
    clearTimeout(idleTimer)
  })
}

/**
 * Ends the process after SIGTERM or SIGINT, in three steps:
 * 1. For `DRAIN_SECONDS`, every request is still answered, but `ready` returns 503 and each
 *   response closes its connection. In that time, a proxy can detect the shutdown.
 * 2. GET requests get no response, and their connections are closed. A proxy then uses another
 *   instance and sends no more writes to this one. A write that is not yet accepted when the server
 *   closes would be lost.
 * 3. The server stops accepting connections, finishes the responses in progress, and closes the
 *   store. A write that is still unfinished stays open in the action log, and the next process
 *   checks its outcome.
 * Returns a function that tells whether a response has already begun on a connection.
 */
export function endProcessOnSignal(
  server: Server,
  closeApp: () => Promise<void>,
): (socket: Duplex) => boolean {
  const connections = trackConnections(server)
  const finishShutdown = async () => {
    connections.turnsReadsAway = env().drainSeconds > 0
    await waitForQuietEventLoop(server)
    await closeServer(server, connections)
    await closeApp()
      .then(endTraces)
      .then(endStore)
      .finally(() => process.exit(0))
  }
  let isShuttingDown = false
  const beginShutdown = () => {
    // The signal can arrive twice: a service manager may send it to every process, and the start
    // script also forwards it to the dashboard.
    if (isShuttingDown) return
    isShuttingDown = true
    beginStop()
    for (const response of connections.underWay.values()) closeAfterResponse(response)
    setTimeout(() => void finishShutdown(), env().drainSeconds * 1000)
  }
  process.on('SIGTERM', beginShutdown)
  process.on('SIGINT', beginShutdown)
  return (socket) => connections.underWay.get(socket)?.headersSent ?? false
}
