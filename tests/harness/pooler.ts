import { connect, createServer, type Socket } from 'node:net'

/** The type byte of a notification message in PostgreSQL’s protocol. */
const notificationTypeByte = 'A'.charCodeAt(0)
/** Number of bytes for a message’s type and length. */
const messageHeaderBytes = 5

/**
 * Forwards the messages of a PostgreSQL server to the client, except notifications. A message
 * begins with one byte for its type. Four bytes with its length follow; this length counts all
 * bytes but the first.
 */
function forwardWithoutNotifications(server: Socket, client: Socket): void {
  let pendingBytes = Buffer.alloc(0)
  server.on('data', (part: Buffer) => {
    pendingBytes = Buffer.concat([pendingBytes, part])
    while (pendingBytes.length >= messageHeaderBytes) {
      const messageSize = 1 + pendingBytes.readUInt32BE(1)
      if (pendingBytes.length < messageSize) return
      if (pendingBytes[0] !== notificationTypeByte)
        client.write(pendingBytes.subarray(0, messageSize))
      pendingBytes = pendingBytes.subarray(messageSize)
    }
  })
}

/**
 * Starts a proxy in front of PostgreSQL that drops notifications. A pooler in transaction mode
 * loses them too, because it gives the connection that listens to other clients. The returned `url`
 * leads to the database through the proxy.
 */
export async function startPooler(
  databaseUrl: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const parsedDatabaseUrl = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const pooler = createServer((client) => {
    const serverSocket = connect(Number(parsedDatabaseUrl.port), parsedDatabaseUrl.hostname)
    for (const socket of [client, serverSocket]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        sockets.delete(socket)
        client.destroy()
        serverSocket.destroy()
      })
    }
    client.pipe(serverSocket)
    forwardWithoutNotifications(serverSocket, client)
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
