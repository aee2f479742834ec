import { answerLive } from '@/lib/server/http/health'

export const GET = () => answerLive()

export const dynamic = 'force-dynamic'
