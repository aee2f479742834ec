import { authHandler } from '@/lib/server/session'

export { authHandler as GET, authHandler as POST }
