curl -fsS -H "Authorization: Bearer $LABOUR_KEY" 'https://labour.example/v1/labour/skills-unmet?limit=5'
