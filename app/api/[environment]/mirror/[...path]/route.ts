import '@/lib/features/register'
import { execute } from '@/lib/server/http/execute'

const serve = execute('mirror')

export { serve as DELETE, serve as GET, serve as PATCH, serve as POST, serve as PUT }
