import { serveRequests } from '@/lib/server/serve-requests'

export { serveRequests as GET }
