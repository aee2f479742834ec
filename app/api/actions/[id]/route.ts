import { serveAction, serveCheck } from '@/lib/server/serve-actions'

export { serveAction as GET, serveCheck as POST }
