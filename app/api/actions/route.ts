import { serveActionList } from '@/lib/server/serve-actions'

export { serveActionList as GET }
