import '@/lib/features/register'
import { deskOperationHandlers } from '@/lib/features/operations'
import { createRouteHandler } from '@/lib/server/http/execute'

const serve = createRouteHandler('desk', deskOperationHandlers)

export { serve as DELETE, serve as GET, serve as PATCH, serve as POST, serve as PUT }
