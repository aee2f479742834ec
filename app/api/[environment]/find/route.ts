import { serveFind } from '@/lib/server/find'

export { serveFind as GET }
