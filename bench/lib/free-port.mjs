import { createServer } from 'node:net'

export function findFreePort() {
  return new Promise((resolve, reject) => {
    const probeServer = createServer().once('error', reject)
    probeServer.listen(0, '127.0.0.1', () => {
      const { port } = probeServer.address()
      probeServer.close(() => resolve(port))
    })
  })
}
