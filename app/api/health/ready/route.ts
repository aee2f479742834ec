import { serveReadiness } from '@/lib/server/http/health'

export const GET = () => serveReadiness()

export const dynamic = 'force-dynamic'
