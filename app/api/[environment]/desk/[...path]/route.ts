import '@/lib/features/register'
import { deskRuns } from '@/lib/features/operations'
import { execute } from '@/lib/server/http/execute'

const serve = execute('desk', deskRuns)

export { serve as DELETE, serve as GET, serve as PATCH, serve as POST, serve as PUT }
