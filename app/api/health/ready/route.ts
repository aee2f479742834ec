import { answerReady } from '@/lib/server/http/health'

export const GET = () => answerReady()

export const dynamic = 'force-dynamic'
