import { serveSetPassword } from '@/lib/server/http/set-password'

export { serveSetPassword as POST }
