import { serveMetrics } from '@/lib/server/http/metrics'

export const GET = (request: Request) => serveMetrics(request)

export const dynamic = 'force-dynamic'
