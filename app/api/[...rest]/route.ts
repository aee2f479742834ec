import { serveNothing } from '@/lib/server/http/auth-route'

export {
  serveNothing as DELETE,
  serveNothing as GET,
  serveNothing as PATCH,
  serveNothing as POST,
  serveNothing as PUT,
}
