import 'server-only'
import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { env } from '@/lib/server/config/env'
import { beginStop, isStopping } from '@/lib/server/running'
import { endStore } from '@/lib/server/store/store'
import { endTraces } from '@/lib/server/traces'

/** The time for answers that are under way (milliseconds): longer than a write may take, shorter than `npm start` and a container wait for the end. */
const answersWithin = 40_000

/** The time for a connection without a request (milliseconds): a proxy that has just connected sends one at once. */
const firstRequestWithin = 1000

/** The connections of a server, and the answer that is under way on each. After the drain reads are turned away. */
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

/** Makes an answer the last one of its connection. */
function makeLast(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}

/** Ends an answer that has no end of its own; others come to theirs. */
function endStream(server: Server, response: ServerResponse): void {
  response.once('close', () => server.closeIdleConnections())
  if (String(response.getHeader('content-type')) === 'text/event-stream') response.end()
}

/** The longest turn of the event loop after which the door is closed, and the time after which it is closed anyhow (milliseconds). */
const shortTurn = 1
const shortTurnWithin = 2000

/**
 * Resolves after a short turn of the event loop without a new connection. The system resets connections that wait to be accepted when the door is closed;
 * during a long turn some may have come.
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

/** Closes the door, and resolves when the last answer is out. */
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
 * Ends the process at SIGTERM or SIGINT. At first `ready` says 503, and each answer closes its connection: for `DRAIN_SECONDS` a proxy learns of the end
 * while every request is still answered. Then the connection of each read is closed without an answer, so that a proxy asks another instance and sends no
 * more writes here: one that waits at a door that closes is lost. Then the door closes, what is being answered is answered, and the store is closed. A write
 * that takes longer stays open in the action log, and the next process asks for its outcome. Returns a function that tells whether an answer has begun on
 * a connection.
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
    // A service manager may signal every process, and the start then signals the dashboard again.
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
