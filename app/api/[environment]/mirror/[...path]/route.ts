import '@/lib/features/register'
import { createRouteHandler } from '@/lib/server/http/execute'

const serve = createRouteHandler('mirror')

export { serve as DELETE, serve as GET, serve as PATCH, serve as POST, serve as PUT }
