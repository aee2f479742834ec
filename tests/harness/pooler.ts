import { connect, createServer, type Socket } from 'node:net'

/** The message type of a PostgreSQL notification, and the size of a message's type and length in bytes. */
const notificationType = 'A'.charCodeAt(0)
const headerSize = 5

/**
 * Forwards a server's messages to the client, except notifications. A message has one byte for its type, four for the length of the rest,
 * and the rest.
 */
function forwardWithoutNotifications(server: Socket, client: Socket): void {
  let bytes = Buffer.alloc(0)
  server.on('data', (part: Buffer) => {
    bytes = Buffer.concat([bytes, part])
    while (bytes.length >= headerSize) {
      const messageSize = 1 + bytes.readUInt32BE(1)
      if (bytes.length < messageSize) return
      if (bytes[0] !== notificationType) client.write(bytes.subarray(0, messageSize))
      bytes = bytes.subarray(messageSize)
    }
  })
}

/**
 * Starts a proxy in front of PostgreSQL that drops notifications. A pooler in transaction mode loses them too, because it gives the
 * listening connection to other clients. `url` is the URL of the database through it.
 */
export async function startPooler(databaseUrl: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const pooler = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    client.pipe(server)
    forwardWithoutNotifications(server, client)
  })
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.port = String((pooler.address() as { port: number }).port)
  return {
    url: url.href,
    stop: () =>
      new Promise<void>((resolve) => {
        pooler.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
