import { serveNothing } from '@/lib/server/serve-auth'

export { serveNothing as DELETE, serveNothing as GET, serveNothing as PATCH, serveNothing as POST, serveNothing as PUT }
