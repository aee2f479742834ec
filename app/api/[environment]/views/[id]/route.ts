import { serveViewChange, serveViewRemoval } from '@/lib/server/serve-views'

export { serveViewChange as PUT, serveViewRemoval as DELETE }
