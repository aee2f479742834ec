import { TextPageSkeleton } from '@/components/kits/layout/page-skeletons'

const ConnectLoading = () => <TextPageSkeleton noun="customer" />

export default ConnectLoading
