import { serveNewView, serveViewList } from '@/lib/server/serve-views'

export { serveNewView as POST, serveViewList as GET }
