import { serveDecision } from '@/lib/server/serve-actions'

export { serveDecision as POST }
