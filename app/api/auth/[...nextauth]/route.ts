import { serveAuth } from '@/lib/server/http/auth-route'

export {
  serveAuth as DELETE,
  serveAuth as GET,
  serveAuth as PATCH,
  serveAuth as POST,
  serveAuth as PUT,
}
