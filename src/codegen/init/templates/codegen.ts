/** The options of the generator; see `concordat help generate`. */

import { codegenConfig } from 'concordat';

export default codegenConfig(__OPTIONS__);
