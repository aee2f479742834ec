import '@/lib/features/register'
import { deskRuns } from '@/lib/features/operations'
import { createRouteHandler } from '@/lib/server/http/execute'

const serve = createRouteHandler('desk', deskRuns)

export { serve as DELETE, serve as GET, serve as PATCH, serve as POST, serve as PUT }
