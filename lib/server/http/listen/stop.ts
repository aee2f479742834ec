import 'server-only'
import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { env } from '@/lib/server/config/env'
import { beginStop, isStopping } from '@/lib/server/process-state'
import { endStore } from '@/lib/server/store/store'
import { endTraces } from '@/lib/server/traces'

/**
 * Timeout for responses in progress (milliseconds). It is longer than a write may take, but shorter than the time in which `npm start` and
 * a container expect the exit.
 */
const answersTimeoutMs = 40_000

/** Timeout for a connection without a request (milliseconds). A proxy sends a request right after it connects. */
const firstRequestTimeoutMs = 1000

/**
 * The connections of a server, with the response in progress on each. While `turnsReadsAway` is true, a read gets no response and its
 * connection is closed.
 */
type Connections = { all: Set<Duplex>; underWay: Map<Duplex, ServerResponse>; turnsReadsAway: boolean }

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

/** Closes the connection after this response. */
function closeAfterResponse(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}

/** Ends a response that is an event stream. Other responses end by themselves. */
function endStream(server: Server, response: ServerResponse): void {
  response.once('close', () => server.closeIdleConnections())
  if (String(response.getHeader('content-type')) === 'text/event-stream') response.end()
}

/** Longest turn of the event loop that counts as short, and the time after which the server closes anyway (milliseconds). */
const shortTurnMs = 1
const shortTurnTimeoutMs = 2000

/**
 * Resolves after a short turn of the event loop in which no new connection arrived. When the server closes, the system resets connections
 * that are not yet accepted, and during a long turn some may have arrived.
 */
function waitForQuietTurn(server: Server): Promise<void> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    let isNew = false
    const noteConnection = () => {
      isNew = true
    }
    server.on('connection', noteConnection)
    const checkTurn = (lastCheckAt: number) => {
      const now = performance.now()
      const isQuiet = !isNew && now - lastCheckAt < shortTurnMs
      isNew = false
      if (!isQuiet && now - startedAt < shortTurnTimeoutMs) return void setImmediate(checkTurn, now)
      server.off('connection', noteConnection)
      resolve()
    }
    setImmediate(checkTurn, 0)
  })
}

/** Stops accepting connections. Resolves when the last response is sent. */
function closeServer(server: Server, { all, underWay }: Connections): Promise<void> {
  const serverClosed = new Promise<void>((resolve) => server.close(() => resolve()))
  const deadlineTimer = setTimeout(() => server.closeAllConnections(), answersTimeoutMs)
  // Node would wait for a connection that has not sent a request yet. After a moment, close such connections.
  const closeIdleSockets = () => {
    for (const socket of all) if (!underWay.has(socket)) socket.destroy()
  }
  const idleTimer = setTimeout(closeIdleSockets, env().drainSeconds > 0 ? firstRequestTimeoutMs : 0)
  for (const response of underWay.values()) endStream(server, response)
  return serverClosed.finally(() => {
    clearTimeout(deadlineTimer)
    clearTimeout(idleTimer)
  })
}

/**
 * Ends the process after SIGTERM or SIGINT, in three steps:
 * 1. For `DRAIN_SECONDS`, every request is still answered, but `ready` returns 503 and each response closes its connection. A proxy can
 * detect the shutdown in that time.
 * 2. The connections of reads are closed without a response, so that a proxy uses another instance and sends no more writes here. A write
 * that is not yet accepted when the server closes would be lost.
 * 3. The server stops accepting connections, finishes the responses in progress, and closes the store.
 * A write that takes longer stays open in the action log, and the next process checks its outcome. Returns a function that is true if a
 * response has begun on a connection.
 */
export function endOnSignal(server: Server, close: () => Promise<void>): (socket: Duplex) => boolean {
  const connections = trackConnections(server)
  const finish = async () => {
    connections.turnsReadsAway = env().drainSeconds > 0
    await waitForQuietTurn(server)
    await closeServer(server, connections)
    await close()
      .then(endTraces)
      .then(endStore)
      .finally(() => process.exit(0))
  }
  let isEnding = false
  const beginShutdown = () => {
    // A service manager may send the signal to every process, and then the start script sends it to the dashboard again.
    if (isEnding) return
    isEnding = true
    beginStop()
    for (const response of connections.underWay.values()) closeAfterResponse(response)
    setTimeout(() => void finish(), env().drainSeconds * 1000)
  }
  process.on('SIGTERM', beginShutdown)
  process.on('SIGINT', beginShutdown)
  return (socket) => connections.underWay.get(socket)?.headersSent ?? false
}
