import { serveAccountOf } from '@/lib/server/account-of'

export { serveAccountOf as GET }
