import { serve } from '@/lib/server/serve'

export { serve as DELETE, serve as GET, serve as PATCH, serve as POST, serve as PUT }
