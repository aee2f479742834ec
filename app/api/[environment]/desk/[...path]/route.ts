import '@/lib/features/register'
import { deskOperationRuns } from '@/lib/features/operations'
import { createRouteHandler } from '@/lib/server/http/execute'

const serve = createRouteHandler('desk', deskOperationRuns)

export { serve as DELETE, serve as GET, serve as PATCH, serve as POST, serve as PUT }
