#include <stdio.h>
#include "soc.h"
int main(void) { printf("Hello from %s\n", "the SoC"); 
 for (int i = 0; i < 3; i++) { uint32_t a = soc_cycles(); soc_empty_data_cache(); uint32_t b = soc_cycles(); printf("%lu cycles to empty the cache\n", (unsigned long)(b-a)); }
 return 3; }
