import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { serve } from './language-server.js';

serve(createConnection(ProposedFeatures.all));
