import { serveAuth } from '@/lib/server/serve-auth'

export { serveAuth as DELETE, serveAuth as GET, serveAuth as PATCH, serveAuth as POST, serveAuth as PUT }
