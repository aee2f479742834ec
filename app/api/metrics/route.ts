import { answerMetrics } from '@/lib/server/http/metrics'

export const GET = (request: Request) => answerMetrics(request)

export const dynamic = 'force-dynamic'
