import { serveExport } from '@/lib/server/export'

export { serveExport as GET }
