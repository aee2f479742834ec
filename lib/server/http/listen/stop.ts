import 'server-only'
import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { env } from '@/lib/server/config/env'
import { beginStop, isStopping } from '@/lib/server/running'
import { endStore } from '@/lib/server/store/store'
import { endTraces } from '@/lib/server/traces'

/**
 * Timeout for responses in progress (milliseconds): longer than a write may take, shorter than `npm start` and a container wait for the
 * exit.
 */
const answersWithin = 40_000

/** Timeout for a connection without a request (milliseconds). A proxy sends one right after it connects. */
const firstRequestWithin = 1000

/** The connections of a server, with the response in progress on each. After the drain, reads are rejected. */
type Connections = { all: Set<Duplex>; underWay: Map<Duplex, ServerResponse>; turnsReadsAway: boolean }

function connectionsOf(server: Server): Connections {
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
    if (isStopping()) makeLast(response)
  })
  return connections
}

/** Closes the connection after this response. */
function makeLast(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}

/** Ends an event stream. Other responses end by themselves. */
function endStream(server: Server, response: ServerResponse): void {
  response.once('close', () => server.closeIdleConnections())
  if (String(response.getHeader('content-type')) === 'text/event-stream') response.end()
}

/** Longest event loop turn that counts as quiet, and the time after which the server closes anyway (milliseconds). */
const shortTurn = 1
const shortTurnWithin = 2000

/**
 * Resolves after a short event loop turn without a new connection. When the server closes, the system resets connections that wait to be
 * accepted. During a long turn some may have arrived.
 */
function whenNoneWaits(server: Server): Promise<void> {
  const begin = performance.now()
  return new Promise((resolve) => {
    let isNew = false
    const noteConnection = () => {
      isNew = true
    }
    server.on('connection', noteConnection)
    const look = (lastLook: number) => {
      const now = performance.now()
      const isQuiet = !isNew && now - lastLook < shortTurn
      isNew = false
      if (!isQuiet && now - begin < shortTurnWithin) return void setImmediate(look, now)
      server.off('connection', noteConnection)
      resolve()
    }
    setImmediate(look, 0)
  })
}

/** Stops accepting connections, and resolves when the last response is sent. */
function closeDoor(server: Server, { all, underWay }: Connections): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const deadline = setTimeout(() => server.closeAllConnections(), answersWithin)
  // Node would wait for a connection that has not sent a request yet.
  const endSilent = () => {
    for (const socket of all) if (!underWay.has(socket)) socket.destroy()
  }
  const silent = setTimeout(endSilent, env().drainSeconds > 0 ? firstRequestWithin : 0)
  for (const response of underWay.values()) endStream(server, response)
  return closed.finally(() => {
    clearTimeout(deadline)
    clearTimeout(silent)
  })
}

/**
 * Ends the process at SIGTERM or SIGINT, in three steps. First `ready` returns 503, and each response closes its connection. For
 * `DRAIN_SECONDS` a proxy can detect the shutdown while every request is still answered. Then the connection of each read closes without a
 * response. A proxy then uses another instance and sends no more writes here. A write that still waits to be accepted when the server
 * closes would be lost. Then the server stops accepting, finishes the responses in progress, and closes the store. A write that takes
 * longer stays open in the action log, and the next process requests its outcome. Returns a function that returns true if a response has
 * begun on a connection.
 */
export function endOnSignal(server: Server, close: () => Promise<void>): (socket: Duplex) => boolean {
  const connections = connectionsOf(server)
  const finish = async () => {
    connections.turnsReadsAway = env().drainSeconds > 0
    await whenNoneWaits(server)
    await closeDoor(server, connections)
    await close()
      .then(endTraces)
      .then(endStore)
      .finally(() => process.exit(0))
  }
  let isEnding = false
  const end = () => {
    // A service manager may signal every process, and the start script then signals the dashboard again.
    if (isEnding) return
    isEnding = true
    beginStop()
    for (const response of connections.underWay.values()) makeLast(response)
    setTimeout(() => void finish(), env().drainSeconds * 1000)
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  return (socket) => connections.underWay.get(socket)?.headersSent ?? false
}
